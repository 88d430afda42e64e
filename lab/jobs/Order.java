package com.example.shop;

/** One order of about 1 kB on the wire, so that Flink's default buffers fill within seconds. */
public class Order {
    public long id;
    public String customer;
    public double amount;
    public String payload;

    public Order() {}

    public Order(long id, String customer, double amount, String payload) {
        this.id = id;
        this.customer = customer;
        this.amount = amount;
        this.payload = payload;
    }
}
