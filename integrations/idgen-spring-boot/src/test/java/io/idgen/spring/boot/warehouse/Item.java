package io.idgen.spring.boot.warehouse;

import com.baomidou.mybatisplus.annotation.TableId;
import com.baomidou.mybatisplus.annotation.TableName;
import org.jspecify.annotations.Nullable;

/** An entity with the default id type, for which MyBatis-Plus assigns the id. */
@TableName("stock")
public class Item {
    /** Null before the insert. */
    @TableId("item_id")
    public @Nullable Long id;

    /** The name of the item. */
    public @Nullable String name;

    /** Called by MyBatis. */
    public Item() {}

    /**
     * Creates an item that is not saved yet.
     *
     * @param name the name of the item
     */
    public Item(String name) {
        this.name = name;
    }
}
