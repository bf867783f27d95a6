/** What a page asks its worker to keep. */
export interface KeepRequest {
  /** Number of the parcours. */
  parcours: string
  /** Address of the page, without query. */
  page: string
  /** Address of the map's style; empty where the page has no map. */
  style: string
  /** The line, `[lon, lat]` each. */
  line: number[][]
  /** Addresses of the pictures that are seen. */
  pictures: string[]
}

/** What it answers. */
export interface KeepAnswer {
  kept: boolean
  /** The network did not answer: the page is shown from the cache. */
  offline: boolean
}
