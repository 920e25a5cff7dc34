package javax.crac;

/** A class that {@code org.crac} requires. */
public class CheckpointException extends Exception {
    private static final long serialVersionUID = 1;
}
