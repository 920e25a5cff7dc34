package io.idgen.core.inspect;

/**
 * A run of bits in an id.
 *
 * @param name what it is called: sign, unused, time, datacenter, worker or sequence
 * @param shift how many bits stand below it
 * @param width how many bits it has, from 0 to 63
 */
public record BitField(String name, int shift, int width) {

    /**
     * What the field holds in an id.
     *
     * @param id any number
     * @return 0 or above
     */
    public long of(long id) {
        return (id >>> shift) & ((1L << width) - 1);
    }
}
