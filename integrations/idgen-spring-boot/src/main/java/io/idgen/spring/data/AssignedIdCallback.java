package io.idgen.spring.data;

import org.springframework.data.relational.core.mapping.event.AfterSaveCallback;

/**
 * Marks each {@link AssignedIdEntity} that Spring Data JDBC has saved, so that the next {@code save} sends an UPDATE.
 * The starter registers it. Without the starter, declare it as a bean. Has no state.
 */
public final class AssignedIdCallback implements AfterSaveCallback<AssignedIdEntity> {

    /** Creates the callback. */
    public AssignedIdCallback() {}

    @Override
    public AssignedIdEntity onAfterSave(AssignedIdEntity entity) {
        entity.markSaved();
        return entity;
    }
}
