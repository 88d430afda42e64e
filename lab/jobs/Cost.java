package com.example.shop;

import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.concurrent.locks.LockSupport;

/** What one record costs an operator: a wait for something outside (no CPU), rounds of hashing (CPU), or nothing. */
final class Cost implements Serializable {
    static final Cost NONE = new Cost(0, 0, false);

    /** What a stall of the whole machine takes is not made good. */
    private static final long MOST_OVERSLEPT_NANOS = 250_000_000;

    private final long waitNanos;
    private final int hashRounds;
    private final boolean makesGood;
    private transient long overslept; // ns

    private Cost(long waitNanos, int hashRounds, boolean makesGood) {
        this.waitNanos = waitNanos;
        this.hashRounds = hashRounds;
        this.makesGood = makesGood;
    }

    static Cost waiting(double millis) {
        return new Cost((long) (millis * 1e6), 0, true);
    }

    /** A wait after which nothing is made good: on a host that stands still at times a record costs more. */
    static Cost waitingOnThisHost(double millis) {
        return new Cost((long) (millis * 1e6), 0, false);
    }

    static Cost hashing(int rounds) {
        return new Cost(0, rounds, false);
    }

    void pay(Order order) {
        if (waitNanos > 0) {
            rest();
        }
        if (hashRounds > 0) {
            order.amount += hash(order.payload, hashRounds) % 2;
        }
    }

    /** A park takes longer than asked; the next ones are shorter by as much, so that a record costs what it should. */
    private void rest() {
        long began = System.nanoTime();
        long wait = waitNanos - overslept;
        if (wait > 0) {
            LockSupport.parkNanos(wait);
        }
        long slept = System.nanoTime() - began;
        overslept = makesGood ? Math.min(slept - wait, MOST_OVERSLEPT_NANOS) : 0;
    }

    private static int hash(String text, int rounds) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
            for (int i = 0; i < rounds; i++) {
                bytes = digest.digest(bytes);
            }
            return bytes[0];
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
