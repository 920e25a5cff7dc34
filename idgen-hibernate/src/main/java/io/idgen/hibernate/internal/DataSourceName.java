package io.idgen.hibernate.internal;

import javax.naming.InitialContext;
import javax.naming.NamingException;
import javax.naming.NoInitialContextException;

/** The name of a data source in JNDI, which idgen looks up at the first id. */
final class DataSourceName {
    private static final System.Logger LOG = System.getLogger(DataSourceName.class.getName());

    private DataSourceName() {}

    /** Warns at boot if this process has no JNDI, because the name is then probably that of a bean. Does no lookup. */
    static void check(String setting, Object name) {
        if (name.toString().contains("://")) {
            return; // a URL, which is refused without its password
        }
        try {
            new InitialContext().getEnvironment();
        } catch (NoInitialContextException e) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "{0} is ''{1}'', the name of a DataSource in JNDI, but this process has no JNDI, and the first id"
                            + " will fail; a bean cannot be named here: pass the DataSource itself as the value (under"
                            + " Spring Boot in a HibernatePropertiesCustomizer), or set idgen.jdbc.url",
                    setting,
                    name);
        } catch (NamingException e) {
            LOG.log(System.Logger.Level.DEBUG, "JNDI is asked again at the first id", e);
        }
    }
}
