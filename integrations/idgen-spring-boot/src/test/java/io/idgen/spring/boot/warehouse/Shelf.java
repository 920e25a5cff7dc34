package io.idgen.spring.boot.warehouse;

import com.baomidou.mybatisplus.annotation.IdType;
import com.baomidou.mybatisplus.annotation.TableId;
import org.jspecify.annotations.Nullable;

/** An entity whose id is too narrow for a snowflake. */
public class Shelf {
    /** Null before the insert. */
    @TableId(type = IdType.ASSIGN_ID)
    public @Nullable Integer id;

    /** Called by MyBatis. */
    public Shelf() {}
}
