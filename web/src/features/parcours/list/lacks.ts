/** What a parcours may lack to go out, as the list is asked for it. */
export const lackKeys = ['no_title'] as const
