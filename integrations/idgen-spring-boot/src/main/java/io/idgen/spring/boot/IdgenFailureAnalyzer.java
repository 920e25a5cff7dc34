package io.idgen.spring.boot;

import io.idgen.core.IdGenerationException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Shows why idgen refused to start, and the way out. */
final class IdgenFailureAnalyzer extends AbstractFailureAnalyzer<IdGenerationException> {
    @Override
    protected FailureAnalysis analyze(Throwable root, IdGenerationException cause) {
        return new FailureAnalysis(cause.getMessage(), cause.code().wayOut(), cause);
    }
}
