package io.idgen.migrate;

/**
 * Compares an old and a new column in a range of ids. Checksums are those of the database, and have no meaning outside
 * it.
 *
 * @param column the table and the column
 * @param first the smallest id of the range; 0 for rows without a value, which are a range of their own
 * @param last the largest id of the range; 0 for rows without a value
 * @param rows the number of rows
 * @param differing the number of rows whose two columns differ
 * @param beyond the number of rows whose id is too large for the old type; they are not compared
 * @param checksum the checksum of the column
 * @param otherChecksum the checksum of the other column
 */
public record Comparison(
        String column,
        long first,
        long last,
        long rows,
        long differing,
        long beyond,
        long checksum,
        long otherChecksum) {

    /**
     * Returns whether the columns are equal in this range.
     *
     * @return false if rows differ, or the checksums of the rows that can be compared
     */
    public boolean areEqual() {
        return differing == 0 && checksum == otherChecksum;
    }
}
