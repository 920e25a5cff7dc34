package io.idgen.hibernate.internal;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idgen.core.ConfigurationException;
import io.idgen.text.IdCodec;
import org.junit.jupiter.api.Test;

class IdTypeTest {
    @Test
    void aTypeInAPackageThatIsNotOpenedIsRefusedWithTheLineThatOpensIt() throws ClassNotFoundException {
        Class<?> notOpened = Class.forName("sun.net.www.MimeEntry"); // has a constructor with a String
        assertThatThrownBy(() -> IdType.of(notOpened, IdCodec.BASE32))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("IDGEN-501: idgen cannot call the constructor of sun.net.www.MimeEntry")
                .hasMessageContaining("opens sun.net.www to ");
    }
}
