package io.idgen.spring.boot.warehouse;

import com.baomidou.mybatisplus.annotation.TableId;
import com.baomidou.mybatisplus.annotation.TableName;
import org.jspecify.annotations.Nullable;

/** An entity, whose id is assigned by default. */
@TableName("stock")
public class Item {
    /** Null before the insert. */
    @TableId("item_id")
    public @Nullable Long id;

    /** What it is. */
    public @Nullable String name;

    /** Called by MyBatis. */
    public Item() {}

    /**
     * An item that is not saved yet.
     *
     * @param name what it is
     */
    public Item(String name) {
        this.name = name;
    }
}
