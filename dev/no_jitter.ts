/**
 * Preloaded: a server whose random numbers are 0. It retries failed jobs as soon as the provider allows, and its responses
 * have no jitter.
 */
Math.random = () => 0;
