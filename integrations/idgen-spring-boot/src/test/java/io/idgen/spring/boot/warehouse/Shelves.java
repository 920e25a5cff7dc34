package io.idgen.spring.boot.warehouse;

import com.baomidou.mybatisplus.core.mapper.BaseMapper;
import org.apache.ibatis.annotations.Mapper;

/** The shelves. */
@Mapper
public interface Shelves extends BaseMapper<Shelf> {}
