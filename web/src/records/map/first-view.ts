import { QueryClientContext } from '@tanstack/react-query'
import { useContext } from 'react'
import { payload } from '@/api/payload'
import type { Me } from '@/api/types'
import { meKey } from '@/api/signed-in-user'
import type { Bbox } from './geo'

/** What a map shows at first where there is nothing to frame: what the active white-label sets, else the region of the server. */
export function useFirstView(): Bbox {
  const me = useContext(QueryClientContext)?.getQueryData<Me>(meKey)
  return me?.map_bbox ?? payload().map.bbox
}
