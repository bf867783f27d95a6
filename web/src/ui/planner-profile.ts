import { textFor } from '@/i18n'

/** How a profile of the planner is called; a code nobody named is shown as it is. */
export const profileName = (profile: string): string => textFor(`common:plannerProfile.${profile}`) ?? profile
