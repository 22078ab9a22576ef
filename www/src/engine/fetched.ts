/** The bytes of a file of the page. Throws an error that names the file. */
export async function bytesOf(url: string, options: RequestInit = {}): Promise<ArrayBuffer> {
  try {
    const response = await fetch(url, options);
    if (!response.ok) throw new Error(`status ${response.status}`);
    return await response.arrayBuffer();
  } catch (error) {
    throw new Error(`${url}: ${(error as Error).message}`, { cause: error });
  }
}
