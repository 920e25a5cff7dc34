package io.idgen.spring.boot;

/** Binds the source of an entity when it generates the first id, so that its name is not known at the start. */
interface BindsLater {

    /** Returns whether a name is that of an entity. */
    boolean mayBind(String source);
}
