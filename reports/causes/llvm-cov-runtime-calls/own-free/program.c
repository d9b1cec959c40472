void free(void *a) {
  (void)0;
}
int main(void) {
  free(0);
}
