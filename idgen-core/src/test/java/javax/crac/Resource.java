package javax.crac;

/** A class of a JVM with CRaC that {@code org.crac} looks for. It exists here for tests only. */
public interface Resource {
    void beforeCheckpoint(Context<? extends Resource> context) throws Exception;

    void afterRestore(Context<? extends Resource> context) throws Exception;
}
