package library;

import io.idgen.spring.data.FromIdSource;
import org.springframework.data.annotation.Id;

public record Book(@Id @FromIdSource Long id, String title) {}
