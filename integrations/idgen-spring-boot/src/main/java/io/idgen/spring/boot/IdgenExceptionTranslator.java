package io.idgen.spring.boot;

import io.idgen.core.IdGenerationException;
import io.idgen.core.IdUnavailableException;
import io.idgen.core.StoreUnavailableException;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.NonTransientDataAccessResourceException;
import org.springframework.dao.TransientDataAccessResourceException;
import org.springframework.dao.support.PersistenceExceptionTranslator;

/** Translates idgen's exceptions to Spring's: to a transient one if a later call may return an id. */
final class IdgenExceptionTranslator implements PersistenceExceptionTranslator {
    @Override
    public @Nullable DataAccessException translateExceptionIfPossible(RuntimeException e) {
        if (!(e instanceof IdGenerationException)) {
            return null;
        }
        boolean isTransient = e instanceof IdUnavailableException || e instanceof StoreUnavailableException;
        return isTransient
                ? new TransientDataAccessResourceException(String.valueOf(e.getMessage()), e)
                : new NonTransientDataAccessResourceException(String.valueOf(e.getMessage()), e);
    }
}
