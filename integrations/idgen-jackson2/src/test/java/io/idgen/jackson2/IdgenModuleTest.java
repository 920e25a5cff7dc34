package io.idgen.jackson2;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DatabindException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.idgen.jackson.IdsInJsonContract;

class IdgenModuleTest extends IdsInJsonContract {

    IdgenModuleTest() {
        super(
                new Jackson2(JsonMapper.builder()),
                new Jackson2(JsonMapper.builder().addModule(new IdgenModule())),
                new Jackson2(JsonMapper.builder().addModule(new IdgenModule().withLargeLongsAsStrings())),
                new Jackson2(JsonMapper.builder().addModule(new IdgenModule().withPublicIds(PUBLIC_IDS))),
                new Jackson2(JsonMapper.builder().findAndAddModules()),
                new Jackson2(JsonMapper.builder()
                        .addModule(new IdgenModule().withPublicIds(PUBLIC_IDS))
                        .findAndAddModules()),
                DatabindException.class);
    }

    private record Jackson2(JsonMapper mapper) implements Mapper {
        Jackson2(JsonMapper.Builder builder) {
            this(builder.build());
        }

        @Override
        public String write(Object value) throws JsonProcessingException {
            return mapper.writeValueAsString(value);
        }

        @Override
        public <T> T read(String json, Class<T> type) throws JsonProcessingException {
            return mapper.readValue(json, type);
        }
    }
}
