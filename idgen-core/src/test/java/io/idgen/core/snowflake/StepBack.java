package io.idgen.core.snowflake;

import io.idgen.core.ErrorCode;
import io.idgen.core.IdGenerationException;
import java.time.Instant;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What the refusal of a clock that is behind says: by how much, the limit, and both times. */
record StepBack(String behind, String limit, Instant last, Instant now) {
    private static final Pattern TEXT =
            Pattern.compile("clock is (.*) behind the last id, limit (.*) \\(last (.*), now (.*)\\); correct .*");

    static StepBack of(IdGenerationException e) {
        Matcher text = TEXT.matcher(e.text());
        if (e.code() != ErrorCode.CLOCK_MOVED_BACKWARDS || !text.matches()) {
            throw e;
        }
        return new StepBack(text.group(1), text.group(2), Instant.parse(text.group(3)), Instant.parse(text.group(4)));
    }
}
