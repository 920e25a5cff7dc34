package io.idgen.core.inspect;

/**
 * A run of bits in an id.
 *
 * @param name what it is called
 * @param shift how many bits stand below it
 * @param width how many bits it has, from 0 to 63
 */
record BitField(String name, int shift, int width) {

    /** What the field holds in an id. */
    long of(long id) {
        return (id >>> shift) & ((1L << width) - 1);
    }
}
