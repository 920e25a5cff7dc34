package javax.crac;

/** A JVM's checkpoints, but for the checkpoint itself. */
public final class Core {
    private static final Context<Resource> GLOBAL = new Context<>();

    private Core() {}

    public static Context<Resource> getGlobalContext() {
        return GLOBAL;
    }

    public static void checkpointRestore() throws Exception {
        GLOBAL.beforeCheckpoint();
        GLOBAL.afterRestore();
    }
}
