package io.idgen.cli.doctor;

import io.idgen.core.lease.Finding;

/** Creates the findings of each level. */
final class Findings {
    private Findings() {}

    static Finding ok(String subject, String text) {
        return new Finding(Finding.Level.OK, subject, text);
    }

    static Finding warn(String subject, String text) {
        return new Finding(Finding.Level.WARN, subject, text);
    }

    static Finding wrong(String subject, String text) {
        return new Finding(Finding.Level.WRONG, subject, text);
    }
}
