/** Added to the name of an embedded database: the file in which a restore builds the database that replaces it. */
export const DRAFT = ".restoring";
