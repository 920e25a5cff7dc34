package io.idgen.framework.tenants;

import org.springframework.boot.autoconfigure.SpringBootApplication;

/** An application whose rows belong to tenants. */
@SpringBootApplication(proxyBeanMethods = false)
public class TenantApplication {}
