/** The fewest characters of a password that the server accepts. */
export const PASSWORD_MIN_LENGTH = 12
