import { redirect } from '@tanstack/react-router'
import { ProblemError } from '@/api/problem'
import { queryClient } from '@/api/query-client'
import { meQuery } from '@/api/session'

/** Nobody signed in: to the sign-in page, with the path asked for. */
export async function requireSession(asked: string): Promise<void> {
  try {
    await queryClient.ensureQueryData(meQuery)
  } catch (error) {
    if (error instanceof ProblemError && error.status === 401) throw redirect({ to: '/login', search: asked === '/' || asked === '/en' ? {} : { backurl: asked } })
    throw error
  }
}
