package javax.crac;

/** What {@code org.crac} looks for in a JVM that makes checkpoints; here for tests alone. */
public interface Resource {
    void beforeCheckpoint(Context<? extends Resource> context) throws Exception;

    void afterRestore(Context<? extends Resource> context) throws Exception;
}
