int main(int a, char **b) {
    if (
        a == 0)  return 0;
}
