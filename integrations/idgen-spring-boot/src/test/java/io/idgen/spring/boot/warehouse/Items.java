package io.idgen.spring.boot.warehouse;

import com.baomidou.mybatisplus.core.mapper.BaseMapper;
import org.apache.ibatis.annotations.Mapper;

/** The items. */
@Mapper
public interface Items extends BaseMapper<Item> {}
