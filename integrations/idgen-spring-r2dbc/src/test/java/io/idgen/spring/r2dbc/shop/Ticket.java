package io.idgen.spring.r2dbc.shop;

import io.idgen.spring.data.FromIdSource;
import org.jspecify.annotations.Nullable;
import org.springframework.data.annotation.Id;

public record Ticket(@Id @FromIdSource("tickets") @Nullable String id, String seat) {}
