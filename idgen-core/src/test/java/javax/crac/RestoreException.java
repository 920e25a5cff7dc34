package javax.crac;

/** Looked for by {@code org.crac}. */
public class RestoreException extends Exception {
    private static final long serialVersionUID = 1;
}
