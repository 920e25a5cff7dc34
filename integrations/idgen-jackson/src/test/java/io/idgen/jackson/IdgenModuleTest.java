package io.idgen.jackson;

import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.text.IdAsString;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.DatabindException;
import tools.jackson.databind.json.JsonMapper;

class IdgenModuleTest extends IdsInJsonContract {

    IdgenModuleTest() {
        super(
                new Jackson3(JsonMapper.builder()),
                new Jackson3(JsonMapper.builder().addModule(new IdgenModule())),
                new Jackson3(JsonMapper.builder().addModule(new IdgenModule().withLargeLongsAsStrings())),
                new Jackson3(JsonMapper.builder().addModule(new IdgenModule().withPublicIds(PUBLIC_IDS))),
                new Jackson3(JsonMapper.builder().findAndAddModules()),
                new Jackson3(JsonMapper.builder()
                        .findAndAddModules()
                        .addModule(new IdgenModule().withPublicIds(PUBLIC_IDS))),
                DatabindException.class);
    }

    private record Jackson3(JsonMapper mapper) implements Mapper {
        Jackson3(JsonMapper.Builder builder) {
            this(builder.build());
        }

        @Override
        public String write(Object value) {
            return mapper.writeValueAsString(value);
        }

        @Override
        public <T> T read(String json, Class<T> type) {
            return mapper.readValue(json, type);
        }
    }

    record Parcel(@IdAsString Optional<Long> order) {}

    @Test
    void anIdInAnOptionalIsAString() {
        Jackson3 mapper = new Jackson3(JsonMapper.builder().addModule(new IdgenModule()));

        String json = mapper.write(new Parcel(Optional.of(7L)));

        assertThat(json).isEqualTo("{\"order\":\"7\"}");
        assertThat(mapper.read(json, Parcel.class)).isEqualTo(new Parcel(Optional.of(7L)));
    }
}
