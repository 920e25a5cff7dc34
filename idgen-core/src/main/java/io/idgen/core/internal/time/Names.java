package io.idgen.core.internal.time;

/** The rule for names of users that appear in log lines and reports, and in rows and keys of stores. */
public final class Names {
    private Names() {}

    /**
     * Checks a name. It has no control or format character and no half of a surrogate pair, which would forge lines of
     * a log and fail in some databases, and no white space at its ends, which some databases ignore and others do not.
     *
     * @param what begins the message, for example {@code a namespace}
     * @param name the name to check
     * @param most the largest number of characters
     * @return the name
     * @throws IllegalArgumentException if it breaks the rule
     */
    public static String check(String what, String name, int most) {
        if (name.isEmpty() || name.length() > most || !name.strip().equals(name) || Characters.hasHidden(name)) {
            throw new IllegalArgumentException(what + " is 1 to " + most
                    + " characters, none of them a control character, with no white space around it; got '"
                    + Characters.line(name.substring(0, Math.min(name.length(), most))) + "' (" + name.length()
                    + " characters)");
        }
        return name;
    }
}
