import { z } from "zod";

/** Text without spaces around it, of limited length. */
export const oneLine = (max: number) => z.string().trim().max(max, `must be ${max} characters or less`);
