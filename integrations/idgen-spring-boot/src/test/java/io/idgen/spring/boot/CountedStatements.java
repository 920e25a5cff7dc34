package io.idgen.spring.boot;

import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.sql.DataSource;
import net.ttddyy.dsproxy.support.ProxyDataSourceBuilder;
import org.springframework.beans.factory.config.BeanPostProcessor;

/** Records the statements that an application sends through its {@link DataSource}, without those of idgen. */
final class CountedStatements implements BeanPostProcessor {
    private final List<String> all = new CopyOnWriteArrayList<>();

    CountedStatements() {}

    @Override
    public Object postProcessAfterInitialization(Object bean, String name) {
        return bean instanceof DataSource dataSource
                ? ProxyDataSourceBuilder.create(dataSource)
                        .afterQuery((execution, queries) -> queries.forEach(query -> add(query.getQuery())))
                        .build()
                : bean;
    }

    private void add(String statement) {
        String upperCase = statement.toUpperCase(Locale.ROOT);
        if (!upperCase.contains("IDGEN_")) {
            all.add(upperCase.substring(0, upperCase.indexOf(' ')));
        }
    }

    /** Returns the first word of each statement since the last call. */
    List<String> kinds() {
        List<String> kinds = List.copyOf(all);
        all.clear();
        return kinds;
    }
}
