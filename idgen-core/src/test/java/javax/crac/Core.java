package javax.crac;

/** The checkpoint API of a JVM with CRaC, without checkpoints. */
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
