/*
 * The row of one worker id and three processes, each of which acquires (by a compare-and-set of the horizon, whoever has the row
 * at that moment), extends, issues, crashes, or stops for any time (it is not scheduled then). A window is two slots long.
 * No slot is issued twice. docs/internals/models.md says what of the lease is left out here.
 *
 *   spin -a lease_cas.pml && gcc -O2 -DSAFETY -o pan pan.c && ./pan -m100000
 *
 * finds no errors in 3488510 states (Spin 6.5.2, 3 seconds, 350 MB). The control, an acquisition that does not compare,
 *
 *   spin -a -DNO_COMPARE lease_cas.pml && gcc -O2 -DSAFETY -o pan pan.c && ./pan -m100000
 *
 * ends with "assertion violated"; "spin -DNO_COMPARE -t -p lease_cas.pml" shows how.
 */

#ifdef NO_COMPARE
#define UNCHANGED true
#define CHANGED   false
#else
#define UNCHANGED (horizon == seen)
#define CHANGED   (horizon != seen)
#endif

byte horizon = 0;
byte fence = 0;
bool issued[8];

proctype Process() {
    byte lo = 0, hi = 0, mine = 0, seen;

    do
    /* acquire: read the row, then compare and set */
    :: atomic { (horizon <= 6) -> seen = horizon }
       if
       :: atomic {
              (UNCHANGED && seen <= 6) ->
              horizon = seen + 2;
              fence++;
              mine = fence;
              lo = seen;
              hi = seen + 2
          }
       :: CHANGED -> skip
       fi

    /* issue */
    :: (lo < hi) ->
       atomic {
           assert(!issued[lo]);
           issued[lo] = true;
           lo++
       }

    /* extend a used-up window */
    :: atomic {
           (lo >= hi && mine == fence && horizon == hi && hi > 0 && hi <= 6) ->
           horizon = hi + 2;
           hi = hi + 2
       }

    /* crash */
    :: lo = 0;
       hi = 0

    :: break
    od
}

init {
    run Process();
    run Process();
    run Process()
}
