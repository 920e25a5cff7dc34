package io.idgen.examples.withouthibernate.mybatisplus;

import com.baomidou.mybatisplus.core.mapper.BaseMapper;
import org.apache.ibatis.annotations.Mapper;

/** The lines. */
@Mapper
public interface OrderLineMapper extends BaseMapper<OrderLine> {}
