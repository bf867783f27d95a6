/** How the planner can travel, in the order they are offered. */
export const profiles = ['hiking', 'family', 'touring', 'ebike', 'road', 'gravel', 'mtb', 'waterway'] as const

export const onFoot = (profile: string): boolean => profile === 'hiking' || profile === 'family'
