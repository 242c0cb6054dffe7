/** Preloaded: a server whose random numbers are 0, so that it retries failed jobs as soon as the provider allows. */
Math.random = () => 0;
