import { textFor } from '@/i18n'

/** The name of a profile of the planner; a code without a name is shown unchanged. */
export const profileName = (profile: string | null): string =>
  profile === null ? '' : (textFor(`common:plannerProfile.${profile}`) ?? profile)
