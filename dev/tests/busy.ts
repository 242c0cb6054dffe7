/** A worker that uses a whole core until it is terminated. */
for (;;);
