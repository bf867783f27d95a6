import { textFor } from '@/i18n'

/** The name of a profile of the planner; a code without a name is shown as it is. */
export const profileName = (profile: string | null): string => (profile === null ? '' : (textFor(`common:plannerProfile.${profile}`) ?? profile))
