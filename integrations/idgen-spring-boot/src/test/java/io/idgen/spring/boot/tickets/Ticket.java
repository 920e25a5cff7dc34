package io.idgen.spring.boot.tickets;

import io.idgen.spring.data.FromIdSource;
import org.jspecify.annotations.Nullable;
import org.springframework.data.annotation.Id;
import org.springframework.data.relational.core.mapping.Table;

@Table
public record Ticket(@Id @FromIdSource("tickets") @Nullable String id, String seat) {}
