package io.idgen.text;

/**
 * A run of adjacent bits in an id.
 *
 * @param name sign, unused, time, datacenter, worker or sequence
 * @param shift the number of bits below it
 * @param width the number of its bits, 0 to 63
 */
public record BitField(String name, int shift, int width) {

    /**
     * Returns the value of the field in an id.
     *
     * @param id any number
     * @return 0 or above
     */
    public long of(long id) {
        return (id >>> shift) & ((1L << width) - 1);
    }
}
