export function Page() {
  return <h1>Reset</h1>
}
