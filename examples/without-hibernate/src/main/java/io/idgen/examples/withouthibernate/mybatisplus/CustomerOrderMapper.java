package io.idgen.examples.withouthibernate.mybatisplus;

import com.baomidou.mybatisplus.core.mapper.BaseMapper;
import org.apache.ibatis.annotations.Mapper;

/** The orders. */
@Mapper
public interface CustomerOrderMapper extends BaseMapper<CustomerOrder> {}
