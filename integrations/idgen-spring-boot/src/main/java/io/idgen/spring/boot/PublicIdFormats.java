package io.idgen.spring.boot;

import io.idgen.text.PublicId;
import io.idgen.text.PublicIds;
import java.util.Locale;
import java.util.Set;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.format.AnnotationFormatterFactory;
import org.springframework.format.Formatter;
import org.springframework.format.Parser;
import org.springframework.format.Printer;

/**
 * Public ids as the texts of values with {@link PublicId}. Safe for many threads.
 *
 * @param publicIds encodes and decodes them
 */
record PublicIdFormats(ObjectProvider<PublicIds> publicIds) implements AnnotationFormatterFactory<PublicId> {
    @Override
    public Set<Class<?>> getFieldTypes() {
        return Set.of(Long.class); // Spring applies it to long too
    }

    @Override
    public Printer<?> getPrinter(PublicId annotation, Class<?> type) {
        return format(annotation);
    }

    @Override
    public Parser<?> getParser(PublicId annotation, Class<?> type) {
        return format(annotation);
    }

    private Formatter<Long> format(PublicId annotation) {
        PublicIds all = publicIds.getIfUnique();
        if (all == null) {
            throw new IllegalStateException("there is no bean, or more than one, of the type "
                    + PublicIds.class.getName() + " for @PublicId; declare one with your key");
        }
        PublicIds ids = all.withPrefix(annotation.value());
        return new Formatter<>() {
            @Override
            public Long parse(String text, Locale locale) {
                return ids.decode(text);
            }

            @Override
            public String print(Long id, Locale locale) {
                return ids.encode(id);
            }
        };
    }
}
